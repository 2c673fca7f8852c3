import type { Cluster } from "../../api/types";
import { duration } from "../../time/duration";
import { Facts } from "../../ui/Field";
import { Status } from "../../ui/Status";
import { breakerWords } from "./facts";
import { Latency } from "./Latency";

/** StoreCard shows what is known of the store that leases live in. */
export function StoreCard({ cluster: c }: { cluster: Cluster }) {
  const { store, strip } = c;
  return (
    <section class="panel" aria-labelledby="the-store">
      <h2 id="the-store">Redis, as the replica behind this page sees it</h2>
      <Facts
        facts={[
          [
            "Answers",
            store ? (
              <Status status={store.answers ? "ok" : "silent"} word={store.answers ? "yes" : "no"} />
            ) : (
              "not known"
            ),
          ],
          ["Last answer took", strip.storeSeconds === null ? "–" : duration(strip.storeSeconds)],
          ["Breaker", store ? breakerWords(store.breaker) : "–"],
          ["Leases held", strip.leasesHeld],
          ["Clocks differ by at most", duration(strip.maxOffsetSeconds)],
        ]}
      />
      {store?.trouble && <p class="note bad">{store.trouble}</p>}
      {c.notReady.length > 0 && (
        <div class="note bad">
          <p>
            <strong>This replica cannot run jobs now.</strong>
          </p>
          <ul>
            {c.notReady.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </div>
      )}
      <Latency />
    </section>
  );
}
