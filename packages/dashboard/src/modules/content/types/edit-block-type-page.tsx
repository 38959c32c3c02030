import { Alert, Skeleton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { ApiError } from '../../../api.ts'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { typePath, typesPath, type BlockType } from '../api.ts'
import { BlockTypeForm } from './block-type-form.tsx'
import { NoSuchType } from './block-type-page.tsx'
import { useTypeTexts } from './type-texts.ts'

/** Makes a block type by hand. */
export function NewBlockTypePage() {
  const t = useTypeTexts()
  const { workspace, mayEdit } = useSession()
  if (!mayEdit) return <NoSuchType />
  const types = typesPath(workspace.id)
  const path = [
    { label: t('content'), to: `/w/${workspace.id}/content` },
    { label: t('types'), to: types },
  ]
  return (
    <Page title={t('newTitle')} path={path}>
      <PipelineNote />
      <BlockTypeForm stored={undefined} cancelPath={types} />
    </Page>
  )
}

export function EditBlockTypePage() {
  const t = useTypeTexts()
  const { workspace, mayEdit } = useSession()
  const { blockKey = '' } = useParams()
  const { data: type, error, refetch } = useRead<BlockType>(`/blocks/${blockKey}`)
  const own = typePath(workspace.id, blockKey)
  if (!mayEdit || (error instanceof ApiError && error.status === 404)) return <NoSuchType />
  if (error && !type) return <Failure error={error} onRetry={() => void refetch()} />
  const isHere = type?.key === blockKey
  const path = [
    { label: t('content'), to: `/w/${workspace.id}/content` },
    { label: t('types'), to: typesPath(workspace.id) },
    { label: isHere ? type.name : blockKey, to: own },
  ]
  return (
    <Page title={t('editTitle', { name: isHere ? type.name : blockKey })} path={path}>
      <PipelineNote />
      {isHere ? <BlockTypeForm key={blockKey} stored={type} cancelPath={own} /> : <Skeleton height={480} />}
    </Page>
  )
}

function PipelineNote() {
  const t = useTypeTexts()
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />} maw={860}>
      {t('pipelineNote')}
    </Alert>
  )
}
