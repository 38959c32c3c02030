import { Anchor, List, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { Section } from '../../../ui/section.tsx'
import { SendingNotes } from '../sending/sending-notes.tsx'
import { useDraftFaults } from '../sending/use-draft-faults.ts'
import { useComposer } from './composer-context.tsx'
import { Reach } from './reach.tsx'
import { useTexts } from './texts.ts'
import { useFaultWords } from './use-fault-text.ts'
import { LanguageWarnings } from './variants/notices.tsx'
import { storedContent } from './variants/stored-content.ts'
import { languageWarnings } from './variants/warnings.ts'

/** Everything that would stop it, and whom it would reach. */
export function CheckSection({ storedId }: { storedId: string | undefined }) {
  const t = useTexts()
  const { draft, faults, source, setLocale, setVariant } = useComposer()
  const unsendable = useDraftFaults({ ...draft, content: storedContent(draft, source?.code) })
  const words = useFaultWords()
  return (
    <Section title={t('check')} text={t('checkText')} anchor="check">
      <div aria-live="polite">
        {faults.length === 0 ? (
          <Text size="sm" fw={500}>
            <ThemeIcon size={20} radius="xl" color="green" variant="light" me={8} style={{ verticalAlign: 'middle' }}>
              <IconCheck size={14} aria-hidden />
            </ThemeIcon>
            {t('checkDone')}
          </Text>
        ) : (
          <List
            spacing={6}
            size="sm"
            icon={
              <ThemeIcon size={20} radius="xl" color="orange" variant="light">
                <IconAlertCircle size={14} aria-hidden />
              </ThemeIcon>
            }
          >
            {faults.map((fault, index) => (
              <List.Item key={index}>
                <Anchor
                  href={`#${fault.part}`}
                  size="sm"
                  onClick={(event) => {
                    event.preventDefault()
                    if (fault.locale !== undefined) setLocale(fault.locale)
                    if (fault.variant !== undefined || fault.locale !== undefined) setVariant(fault.variant ?? null)
                    document.querySelector<HTMLElement>(`#${fault.part}`)?.focus()
                  }}
                >
                  {words(fault)}
                </Anchor>
              </List.Item>
            ))}
          </List>
        )}
      </div>
      <LanguageWarnings warnings={languageWarnings(draft, source?.code)} source={source?.code} />
      <SendingNotes faults={unsendable} />
      {storedId !== undefined && (
        <Stack gap="xs">
          <Reach id={storedId} />
        </Stack>
      )}
    </Section>
  )
}
