import { NavLink, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconActivity,
  IconChartLine,
  IconDatabase,
  IconFlask,
  IconHome,
  IconLanguage,
  IconLayoutGrid,
  IconMail,
  IconPhoto,
  IconRoute,
  IconSettings,
  IconShoppingBag,
  IconSpeakerphone,
  IconUsers,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react'
import { NavLink as RouterLink } from 'react-router'
import { useSession } from '../session.tsx'
import classes from './frame.module.css'
import { useTexts } from './texts.ts'

/** The pages of a workspace; journeys join when there is a page of them. */
export const PAGES = [
  { id: 'home', to: '', icon: IconHome },
  { id: 'content', to: '/content', icon: IconLayoutGrid },
  { id: 'library', to: '/library', icon: IconPhoto },
  { id: 'segments', to: '/segments', icon: IconUsersGroup },
  { id: 'journeys', to: '/journeys', icon: IconRoute },
  { id: 'people', to: '/people', icon: IconUsers },
  { id: 'strings', to: '/strings', icon: IconLanguage },
  { id: 'campaigns', to: '/campaigns', icon: IconSpeakerphone },
  { id: 'mails', to: '/mails', icon: IconMail },
  { id: 'analysis', to: '/analysis', icon: IconChartLine },
  { id: 'experiments', to: '/experiments', icon: IconFlask },
  { id: 'events', to: '/events', icon: IconActivity },
  { id: 'data', to: '/data', icon: IconDatabase },
  { id: 'settings', to: '/settings', icon: IconSettings },
] as const satisfies { id: string; to: string; icon: Icon }[]

export function Navigation() {
  const t = useTexts()
  const isIconsOnly = useMediaQuery('(min-width: 701px) and (max-width: 1100px)', false, { getInitialValueInEffect: false })
  const { workspace } = useSession()
  const root = `/w/${workspace.id}`
  return (
    <nav aria-label={t('navigation')}>
      {PAGES.map(({ id, to, icon: Picture }) => (
        <Tooltip key={id} label={t(id)} disabled={!isIconsOnly} position="right">
          <NavLink
            component={RouterLink}
            to={root + to}
            end={to === ''}
            label={t(id)}
            // Needed where only the picture is drawn.
            aria-label={t(id)}
            leftSection={<Picture size={20} stroke={1.7} aria-hidden />}
            className={classes.navigationLink}
          />
        </Tooltip>
      ))}
      <Tooltip label={t('demoShop')} disabled={!isIconsOnly} position="right">
        <NavLink
          href="/demo/shop/"
          target="_blank"
          label={t('demoShop')}
          aria-label={t('demoShop')}
          leftSection={<IconShoppingBag size={20} stroke={1.7} aria-hidden />}
          className={classes.navigationLink}
          mt="md"
        />
      </Tooltip>
    </nav>
  )
}
