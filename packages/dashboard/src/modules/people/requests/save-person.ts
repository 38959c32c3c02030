/** The file of a person, which the browser keeps. */
import { ApiError } from '../../../api.ts'
import { saveFile } from '../../../files/save-file.ts'
import { pathOf, type Subject } from '../api.ts'

const ASKED = 'POST /users/{userId}/export'
/** Ids that an address cannot carry; the query does. */
const DOTS = /^\.{1,2}$/

/** Asks with the headers of this page, which a form cannot send, and hands the answer to the browser. */
export async function savePerson(workspaceId: string, { id, environment }: Subject): Promise<void> {
  const path = DOTS.test(id) ? '/users/_' : pathOf({ id })
  const query = new URLSearchParams({ environment, ...(DOTS.test(id) && { userId: id }) })
  const response = await fetch(`/api/v1${path}/export?${query}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'x-cf-dashboard': '1', 'x-tenant-id': workspaceId },
  }).catch((error: unknown) => {
    throw new ApiError(0, String(error), ASKED)
  })
  if (!response.ok) throw await refusalOf(response)
  const [, name = 'person.zip'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  // A connection that ends early rejects here, so no part of a file is kept as if it were whole.
  const file = await response.blob().catch((error: unknown) => {
    throw new ApiError(0, String(error), ASKED)
  })
  saveFile(name, file)
}

async function refusalOf(response: Response): Promise<ApiError> {
  const said = (await response.json().catch(() => ({}))) as { error?: string; code?: string }
  return new ApiError(response.status, said.error ?? response.statusText, ASKED, said.code === undefined ? {} : { code: said.code })
}
