/** The catalog as a file that the browser keeps. */
import { cutText } from '@contentflow/core/cut-text.ts'
import { ApiError } from '../../../api.ts'
import { saveFile } from '../../../files/save-file.ts'

const ASKED = 'GET /strings/export'

export type ExportChoice = { locale: string; namespace: string; status: 'ok' | 'all' }

/** Asks with the headers of this page, which a link cannot send, and hands the answer to the browser. */
export async function saveExport(workspaceId: string, choice: ExportChoice): Promise<void> {
  const query = new URLSearchParams(Object.entries(choice).filter(([, value]) => value !== ''))
  const response = await fetch(`/api/v1/strings/export?${query}`, {
    credentials: 'same-origin',
    headers: { 'x-cf-dashboard': '1', 'x-tenant-id': workspaceId },
  }).catch((error: unknown) => {
    throw new ApiError(0, String(error), ASKED)
  })
  if (!response.ok) throw new ApiError(response.status, cutText(await response.text(), 200) || response.statusText, ASKED)
  saveFile(choice.locale === '' ? 'strings.csv' : `strings-${choice.locale}.csv`, await response.blob())
}
