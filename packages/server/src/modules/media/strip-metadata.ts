/** Takes the metadata out of a picture before it is given out. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { planWithoutMetadata } from '@contentflow/core/media/metadata/plan-without-metadata.ts'
import type { Piece, Read } from '@contentflow/core/media/metadata/pieces.ts'

const WINDOW = 262_144

/** Replaces the file at `path` by one without metadata; returns its new size. */
export async function stripMetadata(path: string, type: string, size: number): Promise<number> {
  const file = await open(path)
  try {
    const pieces = await planWithoutMetadata(type, windowed(file), size)
    return pieces ? await replace(path, file, pieces) : size
  } finally {
    await file.close()
  }
}

/** Reads a window at a time, because readers that go through a file part by part ask for a few bytes very often. */
function windowed(file: FileHandle): Read {
  let window: { from: number; bytes: Uint8Array } = { from: 0, bytes: new Uint8Array() }
  return async (at, length) => {
    const end = window.from + window.bytes.length
    if (at < window.from || at + length > end) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(length, WINDOW)), 0, Math.max(length, WINDOW), at)
      window = { from: at, bytes: buffer.subarray(0, bytesRead) }
    }
    return window.bytes.subarray(at - window.from, at - window.from + length)
  }
}

async function replace(path: string, from: FileHandle, pieces: readonly Piece[]): Promise<number> {
  const written = `${path}.plain`
  try {
    const to = await open(written, 'wx', 0o600)
    let size = 0
    try {
      for (const piece of pieces) {
        for await (const bytes of bytesOf(from, piece)) {
          await to.appendFile(bytes)
          size += bytes.length
        }
      }
    } finally {
      await to.close()
    }
    await rename(written, path)
    return size
  } finally {
    await rm(written, { force: true })
  }
}

async function* bytesOf(file: FileHandle, piece: Piece): AsyncGenerator<Uint8Array> {
  if (piece instanceof Uint8Array) {
    yield piece
    return
  }
  for (let at = piece.from; at < piece.to;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(WINDOW, piece.to - at)), 0, Math.min(WINDOW, piece.to - at), at)
    if (bytesRead === 0) throw new Error('a file became shorter while it was read')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
