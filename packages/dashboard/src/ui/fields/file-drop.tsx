import { Button, FileButton, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState, type DragEvent } from 'react'
import classes from './file-drop.module.css'

type FileDropProps = {
  title: string
  /** On the button. */
  choose: string
  /** The kinds of files that are accepted, in words. */
  text: string
  /** The value for the `accept` attribute of an input. */
  accept: string
  onFile: (file: File) => void
  isBusy?: boolean
}

/** A field where a file is dropped or chosen. */
export function FileDrop({ title, choose, text, accept, onFile, isBusy = false }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const take = (file: File | null | undefined) => {
    if (file && !isBusy) onFile(file)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Stack gap="xs" align="center">
        <IconUpload size={28} stroke={1.5} aria-hidden />
        <Text fw={500}>{title}</Text>
        <FileButton onChange={take} accept={accept}>
          {(button) => (
            <Button variant="default" loading={isBusy} {...button}>
              {choose}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" maw={560}>
          {text}
        </Text>
      </Stack>
    </div>
  )
}
