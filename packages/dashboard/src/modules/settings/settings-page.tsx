import { Badge, Box, Divider, NativeSelect, NavLink, Stack } from '@mantine/core'
import {
  IconAdjustments,
  IconBroadcast,
  IconBuildingStore,
  IconCalendar,
  IconDatabase,
  IconFlask,
  IconKey,
  IconLanguage,
  IconListDetails,
  IconLogin2,
  IconPalette,
  IconSend,
  IconShieldLock,
  IconTags,
  IconUser,
  IconUserCog,
  IconUsers,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useFormat } from '../../format.ts'
import { NotFound } from '../../frame/not-found.tsx'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { useEnding } from './access/api.ts'
import { AccessTab } from './access/access-tab.tsx'
import { AccountTab } from './account-tab.tsx'
import { AuditTab } from './audit/audit-tab.tsx'
import { BrandTab } from './brand/brand-tab.tsx'
import { CalendarTab } from './calendar/calendar-tab.tsx'
import { ChannelsTab } from './channels/channels-tab.tsx'
import { DataTab } from './data-tab.tsx'
import { EnvironmentsTab } from './environments-tab.tsx'
import { FeaturesTab } from './features-tab.tsx'
import { KeysTab } from './keys/keys-tab.tsx'
import { LanguagesTab } from './languages-tab.tsx'
import { MembersTab } from './members/members-tab.tsx'
import classes from './settings.module.css'
import { PublishingTab } from './publishing/publishing-tab.tsx'
import { ProtectionTab } from './protection/protection-tab.tsx'
import { SignInTab } from './sign-in/sign-in-tab.tsx'
import { isTab, TABS, type Tab } from './tabs.ts'
import { useTexts } from './texts.ts'
import { TopicsTab } from './topics/topics-tab.tsx'
import { WebhooksTab } from './webhooks/webhooks-tab.tsx'
import { WorkspaceTab } from './workspace/workspace-tab.tsx'

const CONTENTS: Record<Tab, { icon: Icon; content: ComponentType }> = {
  workspace: { icon: IconBuildingStore, content: WorkspaceTab },
  access: { icon: IconUserCog, content: AccessTab },
  members: { icon: IconUsers, content: MembersTab },
  'sign-in': { icon: IconLogin2, content: SignInTab },
  keys: { icon: IconKey, content: KeysTab },
  protection: { icon: IconShieldLock, content: ProtectionTab },
  languages: { icon: IconLanguage, content: LanguagesTab },
  calendar: { icon: IconCalendar, content: CalendarTab },
  brand: { icon: IconPalette, content: BrandTab },
  publishing: { icon: IconBroadcast, content: PublishingTab },
  channels: { icon: IconSend, content: ChannelsTab },
  topics: { icon: IconTags, content: TopicsTab },
  webhooks: { icon: IconWebhook, content: WebhooksTab },
  features: { icon: IconAdjustments, content: FeaturesTab },
  environments: { icon: IconFlask, content: EnvironmentsTab },
  data: { icon: IconDatabase, content: DataTab },
  audit: { icon: IconListDetails, content: AuditTab },
  account: { icon: IconUser, content: AccountTab },
}

/** `/settings/:tab`; without a tab the workspace itself. */
export function SettingsPage() {
  const t = useTexts()
  const { tab = 'workspace' } = useParams()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const ending = useEnding()
  const endingIn = (id: Tab) => ending.filter(({ kind }) => id === (kind === 'token' ? 'access' : 'keys')).length
  if (!isTab(tab)) return <NotFound />
  const root = `/w/${workspace.id}/settings`
  const Content = CONTENTS[tab].content
  return (
    <Page title={t('settings')}>
      <div className={classes.page}>
        <nav className={classes.list} aria-label={t('parts')}>
          {TABS.map((id) => {
            const Picture = CONTENTS[id].icon
            return (
              <Box key={id}>
                {id === 'account' && <Divider my="xs" />}
                <NavLink
                  component={Link}
                  to={`${root}/${id}`}
                  active={id === tab}
                  aria-current={id === tab ? 'page' : undefined}
                  label={t(`tab_${id}`)}
                  leftSection={<Picture size={18} stroke={1.7} aria-hidden />}
                  rightSection={<EndingBadge count={endingIn(id)} />}
                  className={classes.link}
                />
              </Box>
            )
          })}
        </nav>
        <NativeSelect
          className={classes.choice}
          label={t('parts')}
          value={tab}
          onChange={({ currentTarget }) => void navigate(`${root}/${currentTarget.value}`)}
          data={TABS.map((id) => ({ value: id, label: t(`tab_${id}`) }))}
        />
        <Stack gap="md" miw={0}>
          <Content key={tab} />
        </Stack>
      </div>
    </Page>
  )
}

/** How many tokens or keys of a part end soon. */
function EndingBadge({ count }: { count: number }) {
  const t = useTexts()
  const format = useFormat()
  if (count === 0) return null
  return (
    <Badge color="orange" variant="light" size="sm" circle={count < 10}>
      <span aria-hidden>{format.number(count)}</span>
      <span className="cf-visually-hidden">{t('endSoon', { count, formatted: format.number(count) })}</span>
    </Badge>
  )
}
