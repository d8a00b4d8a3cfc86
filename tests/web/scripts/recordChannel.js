// Record the frames that arrive on the data channels that this page opens; `window.channel` is the newest. `window.devices` carry messages between devices.
export default () => {
  window.received = [];
  window.devices = [];
  const create = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (...options) {
    const channel = create.apply(this, options);
    if (channel.label === "devices") window.devices.push(channel);
    if (channel.label !== "table") return channel;
    window.channel = channel;
    channel.addEventListener("message", ({ data }) => window.received.push(data));
    return channel;
  };
};
