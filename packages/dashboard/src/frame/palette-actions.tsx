/** Actions that can be started from the palette, and pages that are not in the main navigation. */
import {
  IconCalendar,
  IconKey,
  IconLanguage,
  IconLayoutGrid,
  IconPlus,
  IconRoute,
  IconSettings,
  IconUpload,
  IconSpeakerphone,
  IconUserPlus,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react'
import { holds } from '../fold.ts'
import { inEveryLanguage } from '../i18n.ts'
import { TABS } from '../modules/settings/tabs.ts'
import { useSession } from '../session.tsx'
import { usePaletteTexts } from './palette-texts.ts'
import type { useTexts } from './texts.ts'
import { useOtherLanguage } from './use-other-language.ts'

type FrameText = Parameters<ReturnType<typeof useTexts>>[0]
type Text = Parameters<ReturnType<typeof usePaletteTexts>>[0]
type Action = { id: string; text: Text; icon: Icon; run: () => void; isAllowed?: boolean }

const FRAME_TEXTS = inEveryLanguage<Record<FrameText, string>>('frame')
const PALETTE_TEXTS = inEveryLanguage<Record<Text, string>>('palette')

/** Whether a text of the frame fits what was typed, in either language. */
export function fits(text: FrameText, search: string): boolean {
  return holds(
    FRAME_TEXTS.map((t) => t(text)),
    search,
  )
}

function isMeant(text: Text, search: string): boolean {
  return holds(
    PALETTE_TEXTS.map((t) => t(text)),
    search,
  )
}

/** `go` opens a path of the workspace. Settings are offered only to people who search for them. */
export function usePaletteActions(search: string, go: (path: string) => () => void) {
  const t = usePaletteTexts()
  const { mayEdit, mayAdmin } = useSession()
  const { change: changeLanguage } = useOtherLanguage()
  const actions: Action[] = [
    { id: 'instance', text: 'newInstance', icon: IconPlus, run: go('/content?new=instance'), isAllowed: mayEdit },
    { id: 'type', text: 'newType', icon: IconLayoutGrid, run: go('/content/types/new-type'), isAllowed: mayEdit },
    { id: 'segment', text: 'newSegment', icon: IconUsersGroup, run: go('/segments/new'), isAllowed: mayEdit },
    { id: 'import', text: 'importFile', icon: IconUpload, run: go('/data/import'), isAllowed: mayEdit },
    { id: 'campaign', text: 'newCampaign', icon: IconSpeakerphone, run: go('/campaigns/new'), isAllowed: mayEdit },
    { id: 'journey', text: 'newJourney', icon: IconRoute, run: go('/journeys/new'), isAllowed: mayEdit },
    { id: 'member', text: 'invite', icon: IconUserPlus, run: go('/settings/members?new=member'), isAllowed: mayAdmin },
    { id: 'key', text: 'newKey', icon: IconKey, run: go('/settings/keys?new=publishable'), isAllowed: mayEdit },
    { id: 'calendar', text: 'contentCalendar', icon: IconCalendar, run: go('/content?view=calendar') },
    { id: 'language', text: 'switchLanguage', icon: IconLanguage, run: changeLanguage },
    ...(search === ''
      ? []
      : TABS.map((tab): Action => ({ id: `settings_${tab}`, text: `settings_${tab}`, icon: IconSettings, run: go(`/settings/${tab}`) }))),
  ]
  return actions
    .filter(({ text, isAllowed = true }) => isAllowed && isMeant(text, search))
    .map(({ id, text, icon: Picture, run }) => ({
      id: `action:${id}`,
      label: t(text),
      onClick: run,
      leftSection: <Picture size={18} aria-hidden />,
    }))
}
