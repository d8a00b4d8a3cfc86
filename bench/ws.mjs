// A minimal server with Node's `ws`: for each frame it sends four messages to its room.
// The messages come from the file named on the command line: a broadcast per line, four messages each in base64.
// GET / returns the processor time used so far, in seconds.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const broadcasts = readFileSync(process.argv[2], "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(" ").map((message) => Buffer.from(message, "base64")));
const rooms = new Map();
let next = 0;

const http = createServer((_, response) => {
  const { user, system } = process.cpuUsage();
  response.end(String((user + system) / 1e6));
});
new WebSocketServer({ server: http, perMessageDeflate: false }).on("connection", (socket, request) => {
  if (!rooms.has(request.url)) rooms.set(request.url, []);
  const room = rooms.get(request.url);
  room.push(socket);
  socket.on("message", () => {
    const broadcast = broadcasts[next++ % broadcasts.length];
    for (let seat = 0; seat < room.length; seat++) room[seat].send(broadcast[seat], { binary: false });
  });
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
process.stdin.on("end", () => process.exit(0)).resume();
