// Record what arrives on the data channels that this page opens; `window.channel` is the newest.
export default () => {
  window.received = [];
  const create = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (...options) {
    const channel = create.apply(this, options);
    window.channel = channel;
    channel.addEventListener("message", ({ data }) => window.received.push(data));
    return channel;
  };
};
