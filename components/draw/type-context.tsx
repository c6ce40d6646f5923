import { createContext, useContext } from 'react';

/** Takes the whole text of a field that reads keys by itself, after each change. */
type OnType = (text: string) => void;

/** Where such a field sends its text, handed down once by `App`. */
export const TypeContext = createContext<OnType>(() => {});

export const useOnType = (): OnType => useContext(TypeContext);
