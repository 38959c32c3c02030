/**
 * What the catalogue of events leaves out, because it may say who somebody is: names that apps made of a contact, properties that
 * hold names and contacts, and values that look like one.
 */

const EMAIL = /@[^@\s]+\.[^@\s.]/
/** Digits of a phone number or of an id, whatever stands between them. */
const MANY_DIGITS = /\d(?:[\s().-]?\d){8}/
/** Words of which one alone, or with a word before it that says whose, is a name or a contact. */
const PERSONAL =
  /^(?:(?:first|last|full|middle|family|given|user|customer|contact|recipient|sender)_?)?(?:name|surname|e_?mail|phone|mobile|msisdn|address|tel|telephone|whatsapp)(?:_?(?:number|address|no))?$/

/** Whether a name of a type or a property was made of a contact or an id: there is one for each person then, and none belongs in a list. */
export function isNameOfSomebody(name: string): boolean {
  return EMAIL.test(name) || MANY_DIGITS.test(name)
}

/** Whether values of this property are never shown. */
export function holdsContacts(property: string): boolean {
  const words = property.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return PERSONAL.test(words.replace(/[\s.-]+/g, '_'))
}

/** Whether a value looks like a contact, in whatever property it stands. */
export function isContact(value: string): boolean {
  return EMAIL.test(value) || MANY_DIGITS.test(value)
}
