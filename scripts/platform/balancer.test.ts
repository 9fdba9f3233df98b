import { once } from "node:events";
import { type Server, type Socket, connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startBalancer } from "./balancer.mjs";

/** Answers each connection with its name. */
async function startEcho(
  name: string,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(name);
    onConnection(socket);
    socket.on("data", (data) => socket.write(data));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  onTestFinished(stop);
  return { port, stop };
}

async function balancerOf(ports: readonly number[]) {
  const balancer = await startBalancer(() => ports);
  onTestFinished(() => balancer.close());
  const open = async () => {
    const socket = connect(balancer.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const [name] = (await once(socket, "data")) as [Buffer];
    return { socket, name: name.toString() };
  };
  return { balancer, open };
}

it("gives each connection to the next gateway and passes over one that refuses", async () => {
  const [a, b] = [await startEcho("a"), await startEcho("b")];
  const { balancer, open } = await balancerOf([a.port, b.port]);
  const first = await open();
  const names = [first.name, (await open()).name, (await open()).name, (await open()).name];
  expect(names.filter((name) => name === "a")).toHaveLength(2);
  expect(names[0]).not.toBe(names[1]);
  const accepted = await balancer.accepted();
  expect([accepted.get(a.port), accepted.get(b.port)]).toEqual([2, 2]);

  first.socket.write("stays");
  expect(String((await once(first.socket, "data"))[0])).toBe("stays");
});

it("passes over a gateway that has stopped, and breaks off a connection without any gateway", async () => {
  const [a, b] = [await startEcho("a"), await startEcho("b")];
  const { balancer, open } = await balancerOf([a.port, b.port]);
  await a.stop();
  expect([(await open()).name, (await open()).name]).toEqual(["b", "b"]);
  const none = await startBalancer(() => []);
  onTestFinished(() => none.close());
  const refused = connect(none.port, "127.0.0.1");
  const [error] = (await once(refused, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
  expect((await balancer.accepted()).has(a.port)).toBe(false);
});

it("breaks off the connection to a client whose gateway breaks off", async () => {
  let served: Socket | undefined;
  const a = await startEcho("a", (socket) => (served = socket));
  const { open } = await balancerOf([a.port]);
  const { socket } = await open();
  const failure = once(socket, "error") as Promise<[NodeJS.ErrnoException]>;
  served?.resetAndDestroy();
  expect((await failure)[0].code).toBe("ECONNRESET");
});
