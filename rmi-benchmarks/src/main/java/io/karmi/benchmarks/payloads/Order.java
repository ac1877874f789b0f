package io.karmi.benchmarks.payloads;

import java.io.Serializable;

/** A record of several types. */
public record Order(
    long number, String customer, int quantity, double price, boolean express, String article)
    implements Serializable {}
