import { Alert } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../../session.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { useTexts } from '../texts.ts'
import { NewImport } from './new-import.tsx'
import { OngoingImport } from './ongoing-import.tsx'
import type { Reopened } from './reopened.ts'
import { useImportTexts } from './texts.ts'

/** An import from a file. Its id is in the address, so the page can be left and found again. */
export function DataImportPage() {
  const t = useImportTexts()
  const data = useTexts()
  const { workspace, mayEdit } = useSession()
  const [importId, setImportId] = useUrlState('import')
  const [reopened, setReopened] = useState<Reopened>()
  const begin = (id: string) => {
    setReopened(undefined)
    setImportId(id)
  }
  const changeColumns = (taken: Reopened) => {
    setReopened(taken)
    setImportId('')
  }
  return (
    <Page title={t('title')} subtitle={t('lead')} path={[{ label: data('title'), to: `/w/${workspace.id}/data` }]}>
      {importId !== '' && <OngoingImport key={importId} importId={importId} onNew={() => begin('')} onColumns={changeColumns} />}
      {importId === '' && mayEdit && <NewImport reopened={reopened} onStarted={begin} />}
      {importId === '' && !mayEdit && <Alert color="gray">{data('viewersLook')}</Alert>}
    </Page>
  )
}
