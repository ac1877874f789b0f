package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A business object, as a server sends lists of them: boxes, texts, dates, a decimal, a constant
 * and small collections.
 *
 * <p>No field is final, for what reads the rows of a database fills such objects field by field.
 */
public final class Customer implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long DAY_MILLIS = 86_400_000;

  private Long id;
  private String name;
  private String email;
  private Status status;
  private Date created;
  private BigDecimal balance;
  private Boolean active;
  private Integer orders;
  private List<String> phones;
  private Map<String, String> preferences;
  private LocalDate birthday;

  /** Standing of a customer. */
  public enum Status {
    NEW,
    REGULAR,
    FORMER
  }

  /** A customer whose values follow from {@code number}. */
  public Customer(int number) {
    id = 100_000L + number;
    name = "name " + number;
    email = "customer" + number + "@example.com";
    status = status(number);
    created = new Date(1_700_000_000_000L + number * DAY_MILLIS);
    balance = BigDecimal.valueOf(1_250 + number * 7, 2);
    active = number % 2 == 0;
    orders = number * 10;
    phones = new ArrayList<>(List.of("+49 89 " + number, "+49 170 " + number));
    preferences = new HashMap<>(Map.of("language", "language " + number, "paper", "A" + number));
    birthday = LocalDate.of(1960, 1, 1).plusDays(number * 97L);
  }

  /** One status after the other. */
  public static Status status(int number) {
    return Status.values()[number % Status.values().length];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Customer that
        && id.equals(that.id)
        && name.equals(that.name)
        && email.equals(that.email)
        && status == that.status
        && created.equals(that.created)
        && balance.equals(that.balance)
        && active.equals(that.active)
        && orders.equals(that.orders)
        && phones.equals(that.phones)
        && preferences.equals(that.preferences)
        && birthday.equals(that.birthday);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, name, email, created, balance, birthday);
  }
}
