/** Searches the server and the lists of the workspace for the text in the palette. */
import { useNavigate } from 'react-router'
import type { SpotlightActionGroupData } from '@mantine/spotlight'
import type {
  Asset,
  BlockType,
  Campaign,
  Channel,
  Journey,
  Member,
  PersonRow,
  Segment,
  StringItem,
  Summary,
  Webhook,
} from '@contentflow/server/wire.ts'
import { useRead } from '../data.ts'
import { holds } from '../fold.ts'
import { useLanguage } from '../i18n.ts'
import { useInstanceName } from '../modules/content/use-instance-name.ts'
import { useSession } from '../session.tsx'
import { usePaletteTexts } from './palette-texts.ts'
import { useTexts } from './texts.ts'
import { personPath } from '../person-path.ts'

/** The most results of each kind, so that every kind is seen. */
const MOST = 5

type Found = {
  segments?: Segment[]
  users?: PersonRow[]
  strings?: StringItem[]
  blocks?: BlockType[]
  instances?: Summary[]
  campaigns?: Campaign[]
  journeys?: Journey[]
  content?: Asset[]
  webhooks?: Webhook[]
  channels?: Channel[]
  members?: Member[]
}
type Names = keyof Found
type Item = { id: string; label: string; description?: string; path: string }

/** Groups in the order in which they are shown. */
export function useFound(search: string): { groups: SpotlightActionGroupData[]; isReading: boolean } {
  const t = usePaletteTexts()
  const frame = useTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const nameOf = useInstanceName()
  const { isReading, listOf } = useReads(search)
  const groupOf = (group: string, items: Item[]): SpotlightActionGroupData => ({
    group,
    actions: items.map(({ path, ...item }) => ({ ...item, onClick: () => void navigate(`/w/${workspace.id}${path}`) })),
  })
  const fitting = <T>(items: T[], textsOf: (item: T) => string[]) => items.filter((item) => holds(textsOf(item), search)).slice(0, MOST)
  const groups = [
    groupOf(
      t('blockTypes'),
      fitting(listOf('blocks'), ({ key, name, screen }) => [key, name, screen]).map(({ key, name, screen }) => ({
        id: `block:${key}`,
        label: name,
        description: screen,
        path: `/content/types/${encodeURIComponent(key)}`,
      })),
    ),
    groupOf(
      frame('content'),
      listOf('instances').map(({ id, blockKey, blockName, title, label }) => ({
        id: `instance:${id}`,
        label: nameOf({ title, label, id }),
        description: blockName,
        path: `/content/${encodeURIComponent(blockKey)}/${id}`,
      })),
    ),
    groupOf(
      frame('campaigns'),
      listOf('campaigns').map(({ id, name }) => ({ id: `campaign:${id}`, label: name, path: `/campaigns/${id}` })),
    ),
    groupOf(
      frame('journeys'),
      listOf('journeys').map(({ id, name }) => ({ id: `journey:${id}`, label: name, path: `/journeys/${id}` })),
    ),
    groupOf(
      frame('segments'),
      listOf('segments').map(({ id, name }) => ({ id: `segment:${id}`, label: name, path: `/segments/${id}` })),
    ),
    groupOf(
      frame('strings'),
      listOf('strings').map(({ key, sourceText }) => ({
        id: `string:${key}`,
        label: sourceText,
        description: key,
        path: `/strings?key=${encodeURIComponent(key)}`,
      })),
    ),
    groupOf(frame('people'), listOf('users').map(personOf)),
    groupOf(
      frame('library'),
      listOf('content').map(({ contentId, fileName }) => ({
        id: `file:${contentId}`,
        label: fileName,
        path: `/library?file=${encodeURIComponent(contentId)}`,
      })),
    ),
    groupOf(frame('settings'), [
      ...fitting(listOf('channels'), ({ name, provider }) => [name, provider]).map(({ id, name, provider }) => ({
        id: `channel:${id}`,
        label: name,
        description: provider,
        path: '/settings/channels',
      })),
      ...fitting(listOf('webhooks'), ({ url, description }) => [url, description ?? '']).map(({ id, url, description }) => ({
        id: `webhook:${id}`,
        label: url,
        ...(description && { description }),
        path: '/settings/webhooks',
      })),
      ...fitting(listOf('members'), ({ name, email }) => [name, email]).map(({ userId, name, email }) => ({
        id: `member:${userId}`,
        label: name || email,
        description: email,
        path: '/settings/members',
      })),
    ]),
  ]
  return { groups, isReading }
}

function personOf({ userId, deviceId, name, email }: PersonRow): Item {
  const id = userId ?? deviceId ?? ''
  return {
    id: `person:${id}`,
    label: name || id,
    description: email || id,
    path: personPath({ userId, deviceId }),
  }
}

/** Short lists are read whole, once; of the others the server returns what matches. */
function useReads(search: string) {
  const isAsking = search.length >= 2
  const when = { when: isAsking }
  const asked = { search, limit: MOST }
  const whole = { limit: 200 }
  const reads = [
    useRead<Found>('/blocks', whole),
    useRead<Found>('/instances', { ...asked, labelLocale: useLanguage() }, when),
    useRead<Found>('/campaigns', asked, when),
    useRead<Found>('/journeys', asked, when),
    useRead<Found>('/segments', asked, when),
    useRead<Found>('/strings', { q: search, limit: MOST }, when),
    useRead<Found>('/users', asked, when),
    useRead<Found>('/content', asked, when),
    useRead<Found>('/webhooks', whole, when),
    useRead<Found>('/notifications/channels', whole, when),
    useRead<Found>('/members', whole, when),
  ]
  const data = Object.assign({}, ...reads.map((read) => read.data)) as Found
  return {
    isReading: isAsking && reads.some(({ isFetching }) => isFetching),
    listOf: <N extends Names>(name: N): NonNullable<Found[N]> => (isAsking && data[name]) || [],
  }
}
