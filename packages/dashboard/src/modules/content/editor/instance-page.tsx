import { Group, Skeleton } from '@mantine/core'
import { useParams } from 'react-router'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { instancePath, type Definition, type Instance, type Locale } from './api.ts'
import { InstanceEditor } from './instance-editor.tsx'
import { useTexts } from './texts.ts'

/** One instance: its content, audience, times, preview and history. */
export function InstancePage() {
  const { blockKey = '', instanceId = '' } = useParams()
  return <Loaded key={`${blockKey}/${instanceId}`} blockKey={blockKey} instanceId={instanceId} />
}

function Loaded({ blockKey, instanceId }: { blockKey: string; instanceId: string }) {
  const t = useTexts()
  const { workspace } = useSession()
  const definition = useRead<Definition>(`/blocks/${encodeURIComponent(blockKey)}`)
  // Another editor's save is noticed while one is typing, not when it is too late.
  const instance = useRead<Instance>(instancePath(blockKey, instanceId), {}, { every: 15_000 })
  const locales = useRead<{ locales: Locale[] }>('/locales')
  const reads = [definition, instance, locales]
  const failed = reads.find(({ error, data }) => error && !data)
  // While another page's data is still shown its ids do not fit.
  if (definition.data?.key === blockKey && instance.data?.id === instanceId && locales.data)
    return <InstanceEditor definition={definition.data} instance={instance.data} locales={locales.data.locales} />
  return (
    <Page title={t('instance')} path={[{ label: t('content'), to: `/w/${workspace.id}/content` }]}>
      {failed?.error ? (
        <Failure error={failed.error} onRetry={() => void Promise.all(reads.map((read) => read.refetch()))} />
      ) : (
        <Group align="flex-start" wrap="nowrap" aria-busy>
          <Skeleton height={520} radius="md" flex={3} />
          <Skeleton height={640} radius="md" flex={2} visibleFrom="md" />
        </Group>
      )}
    </Page>
  )
}
