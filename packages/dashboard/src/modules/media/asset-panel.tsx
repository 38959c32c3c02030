import { Anchor, Button, Drawer, Group, List, Skeleton, Stack, Text, Textarea, TextInput, useDirection } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Locale } from '@contentflow/server/wire.ts'
import { ApiError } from '../../api.ts'
import { useRead, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { KeepFocus } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { STALE, type AssetPage } from './api.ts'
import { FocalPicture } from './focal-picture.tsx'
import { useTexts } from './texts.ts'

/** All about one file. `id`: empty when it is closed. */
export function AssetPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts()
  const { dir } = useDirection()
  return (
    <Drawer
      opened={id !== ''}
      onClose={onClose}
      position={dir === 'rtl' ? 'left' : 'right'}
      size={560}
      title={t('file')}
      overlayProps={{ backgroundOpacity: 0.35 }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <KeepFocus />
      {id !== '' && <PanelBody key={id} id={id} onClose={onClose} />}
    </Drawer>
  )
}

function PanelBody({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts()
  const { data, error, refetch } = useRead<AssetPage>(`/content/${id}`)
  const locales = useRead<{ locales: Locale[] }>('/locales').data?.locales
  if (error instanceof ApiError && error.status === 404) return <Text c="dimmed">{t('gone')}</Text>
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (data?.contentId !== id || !locales) return <Skeleton height={280} radius="md" />
  return (
    <Stack gap="lg">
      <AssetForm asset={data} locales={locales} />
      <Facts asset={data} />
      <Uses asset={data} />
      <DeleteAsset asset={data} onDeleted={onClose} />
    </Stack>
  )
}

function AssetForm({ asset, locales }: { asset: AssetPage; locales: Locale[] }) {
  const t = useTexts()
  const format = useFormat()
  const { mayEdit } = useSession()
  const [fileName, setFileName] = useState(asset.fileName)
  const [alt, setAlt] = useState(asset.alt)
  const [focalPoint, setFocalPoint] = useState(asset.focalPoint)
  const save = useWrite(() => ({ path: `/content/${asset.contentId}`, method: 'PUT', body: { fileName, alt, focalPoint } }), {
    stale: STALE,
    done: t('saved'),
  })
  const isDirty =
    JSON.stringify([fileName, trimmed(alt), focalPoint]) !== JSON.stringify([asset.fileName, trimmed(asset.alt), asset.focalPoint])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined)
      }}
    >
      <Stack>
        {asset.kind === 'image' && <FocalPicture asset={asset} value={focalPoint} onChange={setFocalPoint} isReadOnly={!mayEdit} />}
        <TextInput
          label={t('name')}
          value={fileName}
          onChange={({ currentTarget }) => setFileName(currentTarget.value)}
          readOnly={!mayEdit}
          required
          maxLength={200}
          dir="auto"
        />
        {asset.kind === 'image' && (
          <Stack gap="xs" role="group" aria-label={t('altTexts')}>
            <div>
              <Text size="sm" fw={600}>
                {t('altTexts')}
              </Text>
              <Text size="xs" c="dimmed">
                {locales.length > 0 ? t('altHelp') : t('noLanguages')}
              </Text>
            </div>
            {locales.map(({ code, rtl }) => (
              <Textarea
                key={code}
                label={format.language(code)}
                value={alt[code] ?? ''}
                onChange={({ currentTarget }) => setAlt({ ...alt, [code]: currentTarget.value })}
                readOnly={!mayEdit}
                maxLength={LIMITS.altTextLength}
                autosize
                minRows={1}
                lang={code}
                dir={(rtl ?? isRightToLeft(code)) ? 'rtl' : 'ltr'}
              />
            ))}
          </Stack>
        )}
        {mayEdit && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!isDirty || fileName.trim() === ''} loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

function trimmed(alt: Record<string, string>): [string, string][] {
  return Object.entries(alt)
    .map(([code, text]): [string, string] => [code, text.trim()])
    .filter(([, text]) => text !== '')
    .sort(([one], [other]) => one.localeCompare(other))
}

function Facts({ asset: { url, size, width, height, mimeType, createdAt } }: { asset: AssetPage }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {t('address')}
      </Text>
      <CopyField value={url} label={t('address')} />
      <Text size="sm" c="dimmed">
        <bdi dir="ltr">{mimeType}</bdi> · {format.bytes(size)}
        {width !== null && height !== null && ` · ${t('pixels', { width, height })}`} · <Moment at={createdAt} />
      </Text>
    </Stack>
  )
}

function Uses({ asset: { usedBy } }: { asset: AssetPage }) {
  const t = useTexts()
  const { workspace } = useSession()
  const more = usedBy.instanceCount - usedBy.instances.length
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {t('usedIn')}
      </Text>
      {usedBy.instanceCount + usedBy.campaigns.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('unused')}
        </Text>
      ) : (
        <List size="sm">
          {usedBy.instances.map(({ id, blockKey, title }) => (
            <List.Item key={id}>
              <Anchor
                component={Link}
                to={`/w/${workspace.id}/content/${encodeURIComponent(blockKey)}/${encodeURIComponent(id)}`}
                size="sm"
              >
                <bdi>{title}</bdi>
              </Anchor>
            </List.Item>
          ))}
          {more > 0 && <List.Item>{t('more', { count: more })}</List.Item>}
          {usedBy.campaigns.map(({ id, name }) => (
            <List.Item key={id}>
              <Anchor component={Link} to={`/w/${workspace.id}/campaigns/${encodeURIComponent(id)}`} size="sm">
                {t('usedByCampaign', { name })}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}

function DeleteAsset({ asset, onDeleted }: { asset: AssetPage; onDeleted: () => void }) {
  const t = useTexts()
  const { mayEdit } = useSession()
  const [isAsking, setAsking] = useState(false)
  const { instanceCount, campaigns } = asset.usedBy
  const remove = useWrite(
    () => ({ path: `/content/${asset.contentId}`, method: 'DELETE', query: { force: instanceCount + campaigns.length > 0 || undefined } }),
    { stale: STALE, done: t('deleted') },
  )
  if (!mayEdit) return null
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsking(true)}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('delete')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
        title={t('deleteTitle')}
        action={t('delete')}
        isDangerous
        isBusy={remove.isPending}
      >
        {instanceCount > 0 && <strong>{t('deleteUsed', { count: instanceCount })} </strong>}
        {campaigns.length > 0 && <strong>{t('deleteInCampaigns')} </strong>}
        {t('deleteText')}
      </Confirm>
    </>
  )
}
