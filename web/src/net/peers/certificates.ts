// The host's certificates, one for each table, in IndexedDB. Invitations contain their fingerprints.

import { packDescription } from "./description.ts";
import { newConnection } from "./peerConnection.ts";

const EXPIRES = 365 * 24 * 3600 * 1000;
const STORE = "certificates";

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open("notahat.peers", 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
  return (await resultOf(request)).transaction(STORE, mode).objectStore(STORE);
}

/** Make and store the certificate of a table. */
export async function newCertificate(code: string): Promise<{ fingerprint: string }> {
  const certificate = await RTCPeerConnection.generateCertificate({ name: "ECDSA", namedCurve: "P-256", expires: EXPIRES } as AlgorithmIdentifier);
  await resultOf((await store("readwrite")).put(certificate, code));
  const probe = newConnection([certificate]);
  probe.createDataChannel("");
  const { sdp } = await probe.createOffer();
  probe.close();
  return { fingerprint: packDescription(sdp!).fingerprint };
}

export const loadCertificate = async (code: string): Promise<RTCCertificate> =>
  (await resultOf((await store("readonly")).get(code))) as RTCCertificate;
