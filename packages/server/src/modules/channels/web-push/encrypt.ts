/** Encrypts what a browser is sent, so that only that browser can read it (RFC 8291, in the coding aes128gcm of RFC 8188). */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const RECORD_BYTES = 4_096
/** Ends the only record. */
const LAST = Buffer.from([2])

type Browser = { p256dh: string; auth: string }
/** `privateKey`, `salt`: new for each message; given in tests alone, for the vector of the standard. */
type Given = { privateKey: Buffer; salt: Buffer }

/** Throws where `p256dh` is no point of the curve. */
export function encryptPush(plain: string, { p256dh, auth }: Browser, given?: Given): Uint8Array {
  const ecdh = createECDH(CURVE)
  if (given) ecdh.setPrivateKey(given.privateKey)
  else ecdh.generateKeys()
  const salt = given?.salt ?? randomBytes(16)
  const [own, browser] = [ecdh.getPublicKey(), Buffer.from(p256dh, 'base64url')]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own])
  const secret = derive(ecdh.computeSecret(browser), Buffer.from(auth, 'base64url'), info, 32)
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  )
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header.writeUInt8(own.length, 4)
  const sealed = [cipher.update(plain, 'utf8'), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, header, own, ...sealed])
}

function derive(key: Uint8Array, salt: Uint8Array, info: string | Uint8Array, bytes: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, salt, info, bytes))
}
