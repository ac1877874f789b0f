package io.karmi.benchmarks.payloads;

/** A class with fields whose superclass has fields, too. */
public final class Employee extends Person {
  private static final long serialVersionUID = 1;

  private final double salary;
  private final Long account;
  private final String office;

  /** An employee whose values follow from {@code number}. */
  public Employee(int number) {
    super(number);
    salary = 3_000 + number * 0.1;
    account = number * 1_000L;
    office = "office " + number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Employee that
        && super.equals(that)
        && salary == that.salary
        && account.equals(that.account)
        && office.equals(that.office);
  }

  @Override
  public int hashCode() {
    return super.hashCode() * 31 + account.hashCode();
  }
}
