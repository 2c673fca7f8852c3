// What the tests of the pages of a job, of runs and of one run look at.

/** jobSample has jobs that talk, talk much, fail and try again, wait, and have a schedule of the past. */
export const jobSample = `
namespace: test
lease: { ttl: 9s, renewEvery: 3s, tryTimeout: 500ms, stopGrace: 1s, slack: 500ms, lockDelay: 1s }
admin: { listen: 127.0.0.1:0, page: { environment: { name: PROD eu-1, tone: danger } } }
defaults: { timeout: 5m, labels: { team: web } }
jobs:
  - { name: quick, schedule: "@every 3s", shell: "echo quick" }
  - name: talker
    schedule: "0 5 * * *"
    shell: "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i at work; sleep 0.05; done"
    onInterrupt: skip
  - name: big
    schedule: "0 5 * * *"
    shell: "seq -f 'line %.0f of the big log' 1 100000"
    logs: { maxBytes: 8Mi }
  - { name: cut, schedule: "0 5 * * *", shell: "seq -f 'line %.0f' 1 9000", logs: { maxBytes: 40Ki } }
  - name: colours
    schedule: "0 5 * * *"
    retry: { maxAttempts: 2, initialInterval: 1s }
    shell: |
      printf '\\033[31mred \\033[1mbold\\033[0m plain\\n'
      printf '<b id=injected>markup</b> \\033[2Kcleared \\007bell\\n'
      echo 'no route to host' >&2
      exit 3
  - name: nightly-report
    schedule: "30 2 * * 1-5"
    timeZone: Europe/Berlin
    description: Adds up the orders of each region
    owner: ana
    runbook: https://wiki.example/nightly
    labels: { team: billing }
    shell: "echo done"
`;
