import { createContext, useContext } from 'react'

/** Whether one stands in a list of two-line rows. */
export const PhoneRows = createContext(false)

export const useInPhoneRows = (): boolean => useContext(PhoneRows)
