// A small configuration with something of everything.

/** sample has jobs that go well, fail, take long, wait, and have parameters. */
export const sample = `
namespace: test
lease: { ttl: 9s, renewEvery: 3s, tryTimeout: 500ms, stopGrace: 1s, slack: 500ms, lockDelay: 1s }
admin: { listen: 127.0.0.1:0 }
defaults: { timeout: 1m, labels: { team: web } }
jobs:
  - { name: quick, schedule: "@every 2s", shell: "echo quick", owner: ana }
  - { name: broken, schedule: "@every 2s", shell: "echo no route to host >&2; exit 3", labels: { team: billing } }
  - { name: slow, schedule: "@every 3s", shell: "sleep 7", timeZone: Europe/Berlin }
  - { name: nightly-report, schedule: "30 2 * * 1-5", timeZone: Europe/Berlin, shell: "sleep 1" }
  - { name: monthly, schedule: "0 4 1 * *", timeZone: Asia/Tokyo, shell: "true", labels: { team: billing } }
  - { name: parked, schedule: "0 5 * * *", shell: "true" }
  - { name: off, schedule: "@hourly", shell: "true", suspend: true }
  - name: invoice
    schedule: "0 6 * * *"
    shell: "sleep 1"
    overlapPolicy: allow
    params:
      - { name: day, type: int, default: 7, description: Day of the month }
      - { name: region, type: string, choices: [eu, us], default: eu }
`;
