// Replace the camera by one that shows `window.cameraPicture`, the bytes of a PNG in base64.
export default () => {
  navigator.mediaDevices.getUserMedia = async () => {
    const bytes = Uint8Array.from(atob(window.cameraPicture), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d");
    const scale = Math.min(600 / picture.width, 440 / picture.height);
    const draw = () => {
      context.fillStyle = "#888";
      context.fillRect(0, 0, 640, 480);
      context.drawImage(picture, 20, 20, picture.width * scale, picture.height * scale);
      requestAnimationFrame(draw);
    };
    draw();
    return canvas.captureStream(20);
  };
};
