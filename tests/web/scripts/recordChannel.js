// Record the frames that arrive on the data channels that this page opens; `window.channel` is the newest, and
// `sendFrame` uses it. `window.devices` carry messages between devices.
export default () => {
  window.received = [];
  window.devices = [];
  window.sendFrame = (frame) => window.channel.send("." + frame);
  const create = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (...options) {
    const channel = create.apply(this, options);
    if (channel.label === "devices") window.devices.push(channel);
    if (channel.label !== "table") return channel;
    window.channel = channel;
    let begun = ""; // a frame in parts, as link.ts makes them
    channel.addEventListener("message", ({ data }) => {
      begun += data.slice(1);
      if (data.startsWith("+")) return;
      window.received.push(begun);
      begun = "";
    });
    return channel;
  };
};
