import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordFault } from './password-fault.ts'

const EMAIL = 'Noura.AlQahtani@example.com'

test('passwords that others guess have a fault, whatever their letters and blanks around them', () => {
  for (const [password, fault] of [
    ['password', 'common'],
    ['PassWord', 'common'],
    [' password ', 'common'],
    ['12345678', 'common'],
    ['password1', 'common'],
    ['qwertyuiop', 'common'],
    ['ｐａｓｓｗｏｒｄ', 'common'],
    ['        ', 'blank'],
    ['\u00a0\u200b\u2003\t\n\u00a0\u00a0\u00a0', 'blank'],
    ['noura.alqahtani@example.com', 'email'],
    ['NOURA.ALQAHTANI', 'email'],
  ] as const)
    assert.equal(passwordFault(password, EMAIL), fault, JSON.stringify(password))
})

test('others have none', () => {
  for (const password of ['correct horse battery', 'password of noura', 'noura.alqahtani2', 'سر لا يعرفه أحد', 'xxxxxxxxxxxxxxxxxxxx'])
    assert.equal(passwordFault(password, EMAIL), undefined, password)
})
