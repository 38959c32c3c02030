import { Switch, Text } from '@mantine/core'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { HoldoutSection } from '../holdout/holdout-section.tsx'
import { LaunchSection } from './launch-section.tsx'
import { ForApps, OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { usePublishingTexts } from './texts-publishing.ts'

const PATH = '/settings/publishing'

/** Who decides what live apps get, and which campaigns go live. */
export function PublishingTab() {
  return (
    <>
      <Publishing />
      <LaunchSection />
      <HoldoutSection />
    </>
  )
}

/** Whether a second person has to approve before live apps get anything (G-82). */
function Publishing() {
  const t = usePublishingTexts()
  const { mayAdmin } = useSession()
  const setting = useRead<{ approval: boolean }>(PATH)
  const change = useWrite<boolean, { approval: boolean }>((approval) => ({ method: 'PUT', path: PATH, body: { approval } }), {
    stale: [PATH],
    done: ({ approval }) => t(approval ? 'approvalOn' : 'approvalOff'),
    showsError: true,
  })
  return (
    <Section title={t('publishing')} text={t('publishingText')}>
      <ForApps text={t('publishingEffect')} />
      <Loaded read={setting} height={64}>
        {({ approval }) =>
          mayAdmin ? (
            <Switch
              label={t('approval')}
              description={t('approvalText')}
              checked={change.isPending ? change.variables : approval}
              onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
            />
          ) : (
            <Text size="sm" fw={600}>
              {t(approval ? 'approvalIsOn' : 'approvalIsOff')}
            </Text>
          )
        }
      </Loaded>
      {change.error && <Failure error={change.error} />}
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}
