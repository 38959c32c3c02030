import { Checkbox, Radio, SimpleGrid, Stack } from '@mantine/core'
import { TRACKING_MODES, type TrackingMode } from '@contentflow/core/messages/responses/tracking.ts'
import type { MessageTracking } from '@contentflow/server/wire.ts'
import { SettingSection } from '../setting-section.tsx'
import { useMessageTrackingTexts } from './texts-message-tracking.ts'

/** Of whom openings and clicks of messages are counted. */
export function MessageTrackingSection() {
  const t = useMessageTrackingTexts()
  const words = { title: t('title'), text: t('text'), save: t('save'), saved: t('saved') }
  return (
    <SettingSection<MessageTracking> path="/settings/message-tracking" words={words}>
      {({ wanted, set, isLocked }) => (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {(['opens', 'clicks'] as const).map((of) => (
              <ModeField key={of} label={t(of)} value={wanted[of]} isLocked={isLocked} onChange={(mode) => set({ [of]: mode })} />
            ))}
          </SimpleGrid>
          <Checkbox
            label={t('trap')}
            description={t('trapText')}
            checked={wanted.trap}
            disabled={isLocked}
            onChange={({ currentTarget }) => set({ trap: currentTarget.checked })}
          />
        </>
      )}
    </SettingSection>
  )
}

type ModeFieldProps = { label: string; value: TrackingMode; isLocked: boolean; onChange: (mode: TrackingMode) => void }

function ModeField({ label, value, isLocked, onChange }: ModeFieldProps) {
  const t = useMessageTrackingTexts()
  return (
    <Radio.Group label={label} value={value}>
      <Stack gap="xs" mt="xs">
        {TRACKING_MODES.map((mode) => (
          <Radio
            key={mode}
            value={mode}
            label={t(mode)}
            disabled={isLocked}
            {...(mode !== 'off' && { description: t(`${mode}Text`) })}
            onChange={() => onChange(mode)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
