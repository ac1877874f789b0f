package io.karmi.benchmarks.applications;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

/** A worker of {@link Paraffins}. */
public final class ParaffinServer extends UnicastRemoteObject implements ParaffinMolecules {
  private static final long serialVersionUID = 1;

  private final transient ParaffinCombinations combinations = new ParaffinCombinations();

  public ParaffinServer() throws RemoteException {}

  @Override
  public Radical[] radicals(Radical[] first, Radical[] second, Radical[] third) {
    return combinations.radicals(first, second, third);
  }

  @Override
  public Molecule[] aroundCarbon(
      Radical[] first, Radical[] second, Radical[] third, Radical[] fourth) {
    return combinations.aroundCarbon(first, second, third, fourth);
  }

  @Override
  public Molecule[] aroundBond(Radical[] halves) {
    return combinations.aroundBond(halves);
  }
}
