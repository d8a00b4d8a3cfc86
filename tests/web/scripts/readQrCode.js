// Return the text of the QR code in a PNG (base64), as a phone's camera app does. The page's server has the decoder.
export default async ([decoder, picture]) => {
  const { default: decodeQR } = await import(decoder);
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  return decodeQR(context.getImageData(0, 0, bitmap.width, bitmap.height));
};
