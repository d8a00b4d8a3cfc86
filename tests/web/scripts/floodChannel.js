// Send a text many times on this page's data channel, and return why the other side closes it.
export default ([text, times]) =>
  new Promise((resolve) => {
    const channel = window.channel;
    channel.addEventListener(
      "message",
      ({ data }) => data.startsWith('.{"close":') && resolve(JSON.parse(data.slice(1)).close[1]),
    );
    channel.addEventListener("close", () => resolve("closed without a reason"));
    for (let n = 0; n < times; n++) window.sendFrame(text);
  });
