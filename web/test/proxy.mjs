// A proxy that serves another place below a path, as an ingress does.
import { once } from "node:events";
import { createServer, request } from "node:http";

/**
 * proxy answers below prefix with what target, an address, says. It takes the prefix off, or hands it on; all else
 * is not found, so that an address without the prefix is noticed: strays has them.
 */
export async function proxy(target, prefix, { strip }) {
  const strays = [];
  let down = false;
  const server = createServer((req, res) => {
    if (down) {
      req.socket.destroy();
      return;
    }
    if (!req.url.startsWith(`${prefix}/`) && req.url !== prefix) {
      strays.push(`${req.method} ${req.url}`);
      res.writeHead(404).end();
      return;
    }
    const url = new URL(strip ? req.url.slice(prefix.length) || "/" : req.url, target);
    const headers = { ...req.headers, host: url.host };
    const onward = request(url, { method: req.method, headers }, (back) => {
      res.writeHead(back.statusCode, back.headers);
      back.pipe(res);
    });
    onward.on("error", () => res.destroy());
    res.on("close", () => onward.destroy());
    req.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    strays,
    /** cut ends all connections, and until mend all that are made. */
    cut() {
      down = true;
      server.closeAllConnections();
    },
    mend() {
      down = false;
    },
    async end() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
