import { Anchor, Button, Progress, Stack, Switch, Table, Text } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useRead, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import type { Approval, Locale } from './api.ts'
import { ForApps, OnlyFor } from './notes.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useTexts } from './texts.ts'

export function LanguagesTab() {
  const t = useTexts()
  const { workspace } = useSession()
  const locales = useRead<{ locales: Locale[] }>('/locales')
  const at = `/w/${workspace.id}/strings/languages`
  return (
    <>
      <Section
        title={t('languages')}
        text={t('languagesText')}
        aside={
          <Button component={Link} to={at} variant="default" leftSection={<IconLanguage size={16} aria-hidden />}>
            {t('languagesManage')}
          </Button>
        }
      >
        <ForApps text={t('languagesEffect')} />
        <Loaded read={locales} height={120}>
          {({ locales: found }) =>
            found.length === 0 ? (
              <EmptyState icon={IconLanguage} title={t('languagesNone')} text={t('languagesNoneText')}>
                <Anchor component={Link} to={at}>
                  {t('languagesManage')}
                </Anchor>
              </EmptyState>
            ) : (
              <LocaleTable locales={found} />
            )
          }
        </Loaded>
      </Section>
      <SensorApproval />
    </>
  )
}

function LocaleTable({ locales }: { locales: Locale[] }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Table aria-label={t('languages')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('language')}</Table.Th>
          <Table.Th w="40%">{t('coverage')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {locales.map(({ code, coverage, source }) => (
          <Table.Tr key={code}>
            <Table.Td>
              <Text size="sm" fw={600}>
                {format.language(code)}
              </Text>
              <Text size="sm" c="dimmed">
                <span className="cf-code">{code}</span>
                {source && ` · ${t('sourceLanguage')}`}
              </Text>
            </Table.Td>
            <Table.Td>
              <Text size="sm">{format.percent(coverage / 100)}</Text>
              <Progress value={coverage} color="teal" aria-label={t('coverageOf', { language: format.language(code) })} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const APPROVAL = '/settings/sensor-approval'

/** Whether a second person has to agree before a text becomes a sensor. */
function SensorApproval() {
  const t = useTexts()
  const { mayAdmin } = useSession()
  const approval = useRead<Approval>(APPROVAL)
  const change = useWrite<boolean, Approval>((required) => ({ method: 'PUT', path: APPROVAL, body: { required } }), {
    stale: [APPROVAL],
    done: t('saved'),
    showsError: true,
  })
  return (
    <Section title={t('sensorApproval')} text={t('sensorApprovalText')}>
      <ForApps text={t('sensorApprovalEffect')} />
      <Loaded read={approval}>
        {({ required }) =>
          mayAdmin ? (
            <Switch
              label={t('sensorApprovalSwitch')}
              checked={change.isPending ? change.variables : required}
              onChange={({ currentTarget }) => !change.isPending && change.mutate(currentTarget.checked)}
            />
          ) : (
            <Stack gap={4}>
              <Text size="sm" fw={600}>
                {t(required ? 'sensorApprovalOn' : 'sensorApprovalOff')}
              </Text>
              <OnlyFor who="admins" />
            </Stack>
          )
        }
      </Loaded>
      {change.error && <Failure error={change.error} />}
    </Section>
  )
}
