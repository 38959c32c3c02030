import { Text } from '@mantine/core'
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { BlockType, PersonRow, Segment, StringItem, Summary } from '@contentflow/server/wire.ts'
import { useRead } from '../data.ts'
import { holds } from '../fold.ts'
import { loadTexts, useLanguage } from '../i18n.ts'
import { useInstanceName } from '../modules/content/use-instance-name.ts'
import { useSession } from '../session.tsx'
import { PAGES } from './navigation.tsx'
import { fits, usePaletteActions } from './palette-actions.tsx'
import { usePaletteTexts } from './palette-texts.ts'
import { useTexts } from './texts.ts'

type Found = {
  segments?: Segment[]
  users?: PersonRow[]
  strings?: StringItem[]
  blocks?: BlockType[]
  instances?: Summary[]
}

type PaletteProps = {
  text: string
  onText: (text: string) => void
  /** Enter was pressed while it opened. */
  isEntered: boolean
  /** From now on keys arrive in its field. */
  onReady: () => void
  onClose: () => void
}

/** Finds pages, things to do, block types, instances, segments, texts and people from the keyboard. */
export function Palette({ text, onText, isEntered, onReady, onClose }: PaletteProps) {
  const t = useTexts()
  const words = usePaletteTexts()
  const [search] = useDebouncedValue(text.trim(), 200)
  const { groups, isReading } = useFound(search)
  const isSettled = search === text.trim() && !isReading
  const [isShown, setShown] = useState(false)
  const [wantsFirst, setWantsFirst] = useState(false)
  /** Somebody went down the list since the last letter. */
  const hasMoved = useRef(false)
  const isArabicThere = useArabicWords()
  useEffect(() => spotlight.open(), [])
  useEffect(() => {
    if (isEntered) setWantsFirst(true)
  }, [isEntered])
  useEffect(() => {
    // What was typed before is in the field by now.
    if (isShown) onReady()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isShown])
  useEffect(() => {
    if (!isSettled || !isShown || hasMoved.current) return
    const [first, ...others] = document.querySelectorAll<HTMLElement>('[data-action]')
    // The list is drawn anew with what was found: the first of it is chosen.
    for (const other of others) other.removeAttribute('data-selected')
    first?.setAttribute('data-selected', 'true')
    if (!wantsFirst) return
    setWantsFirst(false)
    first?.click()
  }, [isSettled, isShown, wantsFirst, groups])
  const shown = groups.filter(({ actions }) => actions.length > 0)
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowDown' || key === 'ArrowUp') hasMoved.current = true
    // Whoever went down the list means what is chosen in it.
    if (key !== 'Enter' || isSettled || hasMoved.current) return
    // What is shown answers what was typed before: the first of what is found next is meant.
    document.querySelector('[data-action][data-selected]')?.removeAttribute('data-selected')
    setWantsFirst(true)
  }
  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t('search') } }}
      query={text}
      onQueryChange={(next) => {
        hasMoved.current = false
        onText(next)
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={20} aria-hidden />}
        placeholder={t('searchHint')}
        aria-label={t('searchHint')}
        onKeyDown={press}
        onFocus={() => setShown(true)}
      />
      {shown.length > 0 ? (
        <Spotlight.ActionsList>
          {shown.map(({ group, actions }) => (
            <Spotlight.ActionsGroup key={group} label={group}>
              {actions.map(({ id, ...action }) => (
                <Spotlight.Action key={id} {...action} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      ) : (
        <Spotlight.Empty>{isSettled ? t('nothingFound') : t('searching')}</Spotlight.Empty>
      )}
      {!isArabicThere && (
        <Spotlight.Footer py="sm">
          <Text size="sm" role="status">
            {words('noArabic')}
          </Text>
        </Spotlight.Footer>
      )}
    </Spotlight.Root>
  )
}

/** Whether Arabic words are found, whatever the reader's language is: asked for each time that it opens. */
function useArabicWords(): boolean {
  const [isThere, setThere] = useState(true)
  useEffect(() => {
    loadTexts('ar').then(
      () => setThere(true),
      () => setThere(false),
    )
  }, [])
  return isThere
}

function useFound(search: string): { groups: SpotlightActionGroupData[]; isReading: boolean } {
  const t = useTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const nameOf = useInstanceName()
  const isAsking = { when: search.length >= 2 }
  const asked = { search, limit: 5 }
  const blocks = useRead<Found>('/blocks', { limit: 200 })
  const instances = useRead<Found>('/instances', { ...asked, labelLocale: useLanguage() }, isAsking)
  const segments = useRead<Found>('/segments', asked, isAsking)
  const strings = useRead<Found>('/strings', { q: search, limit: 5 }, isAsking)
  const people = useRead<Found>('/users', asked, isAsking)
  const isReading = isAsking.when && [blocks, instances, segments, strings, people].some(({ isFetching }) => isFetching)

  const go = (path: string) => () => void navigate(`/w/${workspace.id}${path}`)
  const actions = usePaletteActions(search, go)
  const found = <T,>(items: T[] | undefined): T[] => (isAsking.when ? (items ?? []) : [])
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('pages'),
      actions: PAGES.filter(({ id }) => fits(id, search)).map(({ id, to, icon: Picture }) => ({
        id: `page:${id}`,
        label: t(id),
        onClick: go(to),
        leftSection: <Picture size={18} aria-hidden />,
      })),
    },
    { group: t('actions'), actions },
    {
      group: t('blockTypes'),
      actions: found(blocks.data?.blocks)
        .filter(({ key, name, screen }) => holds([key, name, screen], search))
        .slice(0, 5)
        .map(({ key, name, screen }) => ({
          id: `block:${key}`,
          label: name,
          description: screen,
          onClick: go(`/content/types/${encodeURIComponent(key)}`),
        })),
    },
    {
      group: t('content'),
      actions: found(instances.data?.instances).map(({ id, blockKey, blockName, title, label }) => ({
        id: `instance:${id}`,
        label: nameOf({ title, label, id }),
        description: blockName,
        onClick: go(`/content/${encodeURIComponent(blockKey)}/${id}`),
      })),
    },
    {
      group: t('segments'),
      actions: found(segments.data?.segments).map(({ id, name }) => ({ id: `segment:${id}`, label: name, onClick: go(`/segments/${id}`) })),
    },
    {
      group: t('strings'),
      actions: found(strings.data?.strings).map(({ key, sourceText }) => ({
        id: `string:${key}`,
        label: sourceText,
        description: key,
        onClick: go(`/strings?key=${encodeURIComponent(key)}`),
      })),
    },
    {
      group: t('people'),
      actions: found(people.data?.users).map(({ userId, deviceId, name, email }) => ({
        id: `person:${userId ?? deviceId}`,
        label: name || (userId ?? deviceId ?? ''),
        description: email || (userId ?? deviceId ?? ''),
        onClick: go(userId === null ? `/people/devices/${encodeURIComponent(deviceId ?? '')}` : `/people/${encodeURIComponent(userId)}`),
      })),
    },
  ]
  return { groups, isReading }
}
