package io.karmi.benchmarks.payloads;

import java.io.Serializable;

/** The serializable superclass of {@link Employee}, with fields of its own. */
public abstract class Person implements Serializable {
  private static final long serialVersionUID = 1;

  private final int number;
  private final String name;

  /** A person whose values follow from {@code number}. */
  protected Person(int number) {
    this.number = number;
    name = "name " + number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Person that && number == that.number && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return number;
  }
}
