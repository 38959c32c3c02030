import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Section } from '../../ui/section.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import type { ScreenNow } from '../content/api.ts'
import { useTexts } from './texts.ts'
import classes from './home.module.css'

/** Per screen of the app: how much is live, and for whom. */
export function LiveNow({ screens }: { screens: ScreenNow[] }) {
  const t = useTexts()
  const { workspace } = useSession()
  const content = `/w/${workspace.id}/content`
  return (
    <Section
      title={t('liveNow')}
      aside={
        <Anchor component={Link} to={content} size="sm">
          {t('openContent')}
        </Anchor>
      }
    >
      {screens.length === 0 ? (
        <Text c="dimmed">{t('nothingLive')}</Text>
      ) : (
        <ul className={classes.rows}>
          {screens.map((screen) => (
            <li key={screen.screen}>
              <Screen screen={screen} to={screen.screen ? `${content}?screen=${encodeURIComponent(screen.screen)}` : content} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Screen({ screen, to }: { screen: ScreenNow; to: string }) {
  const t = useTexts()
  const format = useFormat()
  const { liveInstances, forEveryone, segments, liveBlockTypes, blockTypes } = screen
  const forSome = liveInstances - forEveryone
  const who = [
    ...(forEveryone > 0 ? [t('forEveryone', { count: forEveryone, formatted: format.number(forEveryone) })] : []),
    ...(forSome > 0 ? [t('forSegments', { count: forSome, formatted: format.number(forSome), list: format.list(segments) })] : []),
  ]
  const silent = blockTypes - liveBlockTypes
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Anchor component={Link} to={to} fw={600} c="inherit" style={{ overflowWrap: 'anywhere' }}>
          {screen.screen || t('noScreen')}
        </Anchor>
        <Text size="sm" c="dimmed">
          {who.length > 0 ? who.join(' · ') : t('noneLive')}
          {silent > 0 && ` · ${t('silentTypes', { count: silent, formatted: format.number(silent) })}`}
        </Text>
      </div>
      {liveInstances > 0 && <StateBadge state="live" />}
    </Group>
  )
}
