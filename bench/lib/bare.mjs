/** Starts bare-server.mjs with an answer recorded from the product. */
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { SERVER_CORE, said, startProgram, stop } from './processes.mjs'

/** Headers that node:http adds by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** One answer of a server as a flat header list and text, exactly as sent. `isStream`: only its head. `body`: it is a POST with that. */
export function record(url, headers, { isStream = false, body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (response) => {
      const flat = response.rawHeaders.filter((_, i, all) => !OWN.has(all[i - (i % 2)].toLowerCase()))
      const answer = { status: response.statusCode, headers: flat, etag: response.headers.etag, body: '' }
      if (isStream) {
        response.destroy()
        return resolve(answer)
      }
      response.setEncoding('utf8')
      response.on('data', (chunk) => (answer.body += chunk))
      response.on('end', () => resolve(answer))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export async function startBare(mode, answer, folder, core = SERVER_CORE) {
  const file = join(folder, `${mode}-${answer.status}-${answer.body.length}.json`)
  writeFileSync(file, JSON.stringify(answer))
  const child = startProgram('bare-server.mjs', [mode, file], { core })
  const [, port] = await said(child, /listening (\d+)/)
  return { pid: child.pid, port: Number(port), url: `http://127.0.0.1:${port}`, stop: () => stop(child) }
}
