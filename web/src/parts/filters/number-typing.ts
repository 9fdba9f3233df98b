/** Whether a text that is being typed is a number so far: a sign, digits and, unless it is to be whole, one point. */
export const couldBeNumber = (text: string, whole: boolean): boolean => (whole ? /^-?\d*$/ : /^-?\d*\.?\d*$/).test(text);
