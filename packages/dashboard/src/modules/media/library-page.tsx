import { Button, FileButton, Group, Paper, Stack } from '@mantine/core'
import { IconPhoto, IconUpload } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { usePages } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { NothingFound } from '../../ui/nothing-found.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import type { Asset } from './api.ts'
import { AssetGrid } from './asset-grid.tsx'
import { AssetPanel } from './asset-panel.tsx'
import { FileDrop } from './file-drop.tsx'
import { useTexts } from './texts.ts'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

const KINDS = ['image', 'video', 'audio', 'other'] as const

/** Every file of the workspace; uploads by choosing, dropping and pasting. */
export function LibraryPage() {
  const t = useTexts()
  const { mayEdit } = useSession()
  const [search, setSearch] = useUrlState('search')
  const [kind, setKind] = useUrlState('kind')
  const [openId, setOpenId] = useUrlState('file')
  const [, setParams] = useSearchParams()
  const uploads = useUploads()
  const pages = usePages<Asset>('/content', 'content', { search, kind })
  const choose = (
    <FileButton onChange={(files) => void uploads.add(files)} multiple inputProps={{ 'aria-label': t('upload') }}>
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
          {t('upload')}
        </Button>
      )}
    </FileButton>
  )
  const nothing = (
    <Paper withBorder p="md">
      {search !== '' || kind !== '' ? (
        <NothingFound search={search} isFiltered={kind !== ''} onClear={() => setParams({})} />
      ) : (
        <EmptyState icon={IconPhoto} title={t('emptyTitle')} text={t(mayEdit ? 'emptyText' : 'emptyViewerText')} />
      )}
    </Paper>
  )
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={mayEdit && choose}>
      <FileDrop onFiles={(files) => void uploads.add(files)} isOff={!mayEdit} label={t('drop')} takesAllPastes>
        <Stack mih={320}>
          <Group gap="xs">
            <SearchField value={search} onChange={setSearch} label={t('search')} />
            <FilterSelect
              label={t('kind')}
              data={KINDS.map((each) => ({ value: each, label: t(each) }))}
              value={kind}
              onChange={setKind}
              width={160}
            />
          </Group>
          <UploadList uploads={uploads} />
          <AssetGrid pages={pages} onOpen={({ contentId }) => setOpenId(contentId)} empty={nothing} label={t('title')} />
        </Stack>
      </FileDrop>
      <AssetPanel id={openId} onClose={() => setOpenId('')} />
    </Page>
  )
}
