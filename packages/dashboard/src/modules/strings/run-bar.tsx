import { Anchor, Button, CloseButton, Group, List, Paper, Progress, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { forgetRun, stopRun, useRun, type Run } from './runs.ts'
import { useTexts } from './texts.ts'

const MOST_REFUSALS = 20

/** How far the work of many steps is, on every page of the strings. */
export function RunBar() {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const run = useRun(workspace.id)
  if (!run) return null
  const { kind, state, done, total, locale, error, refused } = run
  const counts = { count: total, done: format.number(done), total: format.number(total), language: locale && format.language(locale) }
  return (
    <Paper withBorder p="sm" role="status">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={500}>
            {t(`${kind}_${state}`, counts)}
          </Text>
          {state === 'running' ? (
            kind !== 'import' && (
              <Button size="compact-sm" variant="default" onClick={stopRun}>
                {t('stop')}
              </Button>
            )
          ) : (
            <CloseButton aria-label={t('dismiss')} onClick={forgetRun} />
          )}
        </Group>
        {state === 'running' && <RunProgress run={run} label={t(`${kind}_${state}`, counts)} />}
        {error && <Failure error={error} title={t('stoppedByError')} />}
        {refused.length > 0 && (
          <div>
            <Text size="sm">{t('refusedTitle', { count: refused.length })}</Text>
            <List size="sm" spacing={2}>
              {refused.slice(0, MOST_REFUSALS).map(({ key, message }) => (
                <List.Item key={key}>
                  <Anchor component={Link} to={`/w/${workspace.id}/strings?key=${encodeURIComponent(key)}`} size="sm" className="cf-code">
                    {key}
                  </Anchor>{' '}
                  <Text span size="xs" c="dimmed" dir="auto">
                    {message}
                  </Text>
                </List.Item>
              ))}
            </List>
          </div>
        )}
      </Stack>
    </Paper>
  )
}

/** An import is one step of the server, so its progress is unknown. */
function RunProgress({ run: { kind, done, total }, label }: { run: Run; label: string }) {
  const isOneStep = kind === 'import'
  return <Progress aria-label={label} value={isOneStep ? 100 : (done * 100) / Math.max(total, 1)} animated={isOneStep} size={8} />
}
