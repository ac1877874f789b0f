package io.karmi.retrofit.rules;

/** The two parts that can be swapped in alone: {@code only=serialization}, {@code only=rmi}. */
public enum Part {
  /** {@code java.io} object streams become UKA's. */
  SERIALIZATION,
  /** {@code java.rmi} entry points lead to KaRMI. */
  RMI
}
