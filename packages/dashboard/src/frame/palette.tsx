import { Text } from '@mantine/core'
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { loadTexts } from '../i18n.ts'
import { useSession } from '../session.tsx'
import { PAGES } from './navigation.tsx'
import { fits, usePaletteActions } from './palette-actions.tsx'
import { useFound } from './palette-found.ts'
import { usePaletteTexts } from './palette-texts.ts'
import { useTexts } from './texts.ts'

type PaletteProps = {
  text: string
  onText: (text: string) => void
  /** Enter was pressed while it opened. */
  isEntered: boolean
  /** Called when its field receives the keys. */
  onReady: () => void
  onClose: () => void
}

/** Finds pages, things to do and what the workspace has from the keyboard. */
export function Palette({ text, onText, isEntered, onReady, onClose }: PaletteProps) {
  const t = useTexts()
  const words = usePaletteTexts()
  const [search] = useDebouncedValue(text.trim(), 200)
  const { groups, isReading } = useGroups(search)
  const isSettled = search === text.trim() && !isReading
  const [isShown, setShown] = useState(false)
  const [wantsFirst, setWantsFirst] = useState(false)
  /** The list was moved through since the last letter. */
  const hasMoved = useRef(false)
  const isArabicThere = useArabicWords()
  useEffect(() => spotlight.open(), [])
  useEffect(() => {
    if (isEntered) setWantsFirst(true)
  }, [isEntered])
  useEffect(() => {
    // Text that was typed before is in the field by now.
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
    // A person who moved down the list means the chosen entry.
    if (key !== 'Enter' || isSettled || hasMoved.current) return
    // The list shows results of an earlier text: the first result of the next list is meant.
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
        placeholder={words('searchHint')}
        aria-label={words('searchHint')}
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
        <Spotlight.Empty>{isSettled ? words('nothingFound') : words('searching')}</Spotlight.Empty>
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

function useGroups(search: string): { groups: SpotlightActionGroupData[]; isReading: boolean } {
  const t = useTexts()
  const words = usePaletteTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const { groups, isReading } = useFound(search)
  const go = (path: string) => () => void navigate(`/w/${workspace.id}${path}`)
  const actions = usePaletteActions(search, go)
  const pages = PAGES.filter(({ id }) => fits(id, search)).map(({ id, to, icon: Picture }) => ({
    id: `page:${id}`,
    label: t(id),
    onClick: go(to),
    leftSection: <Picture size={18} aria-hidden />,
  }))
  return { groups: [{ group: words('pages'), actions: pages }, { group: words('actions'), actions }, ...groups], isReading }
}
