import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react'
import classes from './media.module.css'

type FileDropProps = {
  onFiles: (files: File[]) => void
  isOff?: boolean
  /** Shown while files are dragged over it. */
  label: string
  /** Whether what is pasted anywhere in the window comes here; otherwise only what is pasted inside. */
  takesAllPastes?: boolean
  className?: string
  children: ReactNode
}

/** Takes files that are dropped on it, or pasted. */
export function FileDrop({ onFiles, isOff = false, label, takesAllPastes = false, className, children }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const take = useRef(onFiles)
  useEffect(() => {
    take.current = onFiles
  })
  useEffect(() => {
    if (isOff) return undefined
    const paste = (event: Event) => {
      const files = [...((event as ClipboardEvent).clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      take.current(files)
    }
    const target: EventTarget | null = takesAllPastes ? window : box.current
    target?.addEventListener('paste', paste)
    return () => target?.removeEventListener('paste', paste)
  }, [isOff, takesAllPastes])
  const over = (event: DragEvent) => {
    if (isOff || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      ref={box}
      className={`${classes.drop} ${className ?? ''}`}
      onDragOver={over}
      onDragLeave={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget as Node | null) && setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (isOff || event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && <div className={classes.over}>{label}</div>}
    </div>
  )
}
