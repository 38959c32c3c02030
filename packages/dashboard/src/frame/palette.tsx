import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { BlockType, PersonRow, Segment, StringItem, Summary } from '@contentflow/server/wire.ts'
import { useRead } from '../data.ts'
import { useSession } from '../session.tsx'
import { PAGES } from './navigation.tsx'
import { useTexts } from './texts.ts'

type Found = {
  segments?: Segment[]
  users?: PersonRow[]
  strings?: StringItem[]
  blocks?: BlockType[]
  instances?: Summary[]
}

/** Finds pages, block types, instances, segments, texts and people from the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const isAsking = { when: search.length >= 2 }
  const blocks = useRead<Found>('/blocks', { limit: 200 }).data?.blocks ?? []
  const instances = useRead<Found>('/instances', { search, limit: 5 }, isAsking).data?.instances ?? []
  const segments = useRead<Found>('/segments', { search, limit: 5 }, isAsking).data?.segments ?? []
  const strings = useRead<Found>('/strings', { q: search, limit: 5 }, isAsking).data?.strings ?? []
  const people = useRead<Found>('/users', { search, limit: 5 }, isAsking).data?.users ?? []
  useEffect(() => spotlight.open(), [])

  const go = (path: string) => () => void navigate(`/w/${workspace.id}${path}`)
  const lower = search.toLowerCase()
  const has = (...texts: string[]) => texts.some((part) => part.toLowerCase().includes(lower))
  const found = isAsking.when
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('pages'),
      actions: PAGES.filter(({ id }) => has(t(id))).map(({ id, to, icon: Picture }) => ({
        id: `page:${id}`,
        label: t(id),
        onClick: go(to),
        leftSection: <Picture size={18} aria-hidden />,
      })),
    },
    {
      group: t('blockTypes'),
      actions: (found ? blocks.filter(({ key, name, screen }) => has(key, name, screen)).slice(0, 5) : []).map(({ key, name, screen }) => ({
        id: `block:${key}`,
        label: name,
        description: screen,
        onClick: go(`/content/types/${encodeURIComponent(key)}`),
      })),
    },
    {
      group: t('content'),
      actions: (found ? instances : []).map(({ id, blockKey, blockName, title, label }) => ({
        id: `instance:${id}`,
        label: title || label || id,
        description: blockName,
        onClick: go(`/content/${encodeURIComponent(blockKey)}/${id}`),
      })),
    },
    {
      group: t('segments'),
      actions: (found ? segments : []).map(({ id, name }) => ({ id: `segment:${id}`, label: name, onClick: go(`/segments/${id}`) })),
    },
    {
      group: t('strings'),
      actions: (found ? strings : []).map(({ key, sourceText }) => ({
        id: `string:${key}`,
        label: sourceText,
        description: key,
        onClick: go(`/strings?key=${encodeURIComponent(key)}`),
      })),
    },
    {
      group: t('people'),
      actions: (found ? people : []).map(({ userId, deviceId, name, email }) => ({
        id: `person:${userId ?? deviceId}`,
        label: name || (userId ?? deviceId ?? ''),
        description: email || (userId ?? deviceId ?? ''),
        onClick: go(userId === null ? `/people/devices/${encodeURIComponent(deviceId ?? '')}` : `/people/${encodeURIComponent(userId)}`),
      })),
    },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      // What the server found is shown as it is; pages and block types are filtered above.
      filter={(_query, actions) => actions}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={onClose}
      shortcut={null}
      nothingFound={t('nothingFound')}
      searchProps={{ leftSection: <IconSearch size={20} aria-hidden />, placeholder: t('searchHint'), 'aria-label': t('searchHint') }}
      scrollable
      maxHeight={420}
    />
  )
}
