package io.karmi.operations;

import java.io.Serializable;

/** No signature leads to it. */
public final class Gadget implements Serializable {
  private static final long serialVersionUID = 1;
}
