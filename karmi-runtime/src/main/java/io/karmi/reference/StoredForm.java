package io.karmi.reference;

import java.io.ObjectStreamException;

/**
 * The form of a stub in object streams that know nothing of KaRMI.
 *
 * <p>A stub is replaced by it before any stream can say what kind it is; the streams of a call then
 * ask for the form of their own.
 */
public interface StoredForm {
  /** What is written in place of this in a call. */
  Object formInCall();

  /** What is written in place of this in a call of stock RMI. */
  Object formInStockCall(StockRuntime stock) throws ObjectStreamException;
}
