import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTexts as useUiTexts } from '../../ui/texts.ts'
import { useTexts } from './texts.ts'
import classes from './home.module.css'

/** A command of several lines for a terminal, with a button that copies it. */
export function CommandField({ value }: { value: string }) {
  const t = useTexts()
  const ui = useUiTexts()
  return (
    <div className={classes.command}>
      <pre className="cf-code" tabIndex={0} role="group" aria-label={t('command')}>
        {value}
      </pre>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? ui('copied') : ui('copy')}>
            <ActionIcon variant="default" color={copied ? 'teal' : 'gray'} onClick={copy} aria-label={`${ui('copy')}: ${t('command')}`}>
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  )
}
