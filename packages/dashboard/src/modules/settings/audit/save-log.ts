/** The file of the whole log, which the browser keeps. */
import { ApiError } from '../../../api.ts'
import { saveFile } from '../../../files/save-file.ts'

const ASKED = 'GET /audit/export'

/** Asks with the headers of this page, and hands the answer to the browser. */
export async function saveLog(workspaceId: string): Promise<void> {
  const response = await fetch('/api/v1/audit/export', {
    credentials: 'same-origin',
    headers: { 'x-cf-dashboard': '1', 'x-tenant-id': workspaceId },
  }).catch((error: unknown) => {
    throw new ApiError(0, String(error), ASKED)
  })
  if (!response.ok) throw new ApiError(response.status, response.statusText, ASKED)
  // A connection that ends early rejects here, so no part of a file is kept as if it were whole.
  const file = await response.blob().catch((error: unknown) => {
    throw new ApiError(0, String(error), ASKED)
  })
  saveFile('audit.jsonl', file)
}
