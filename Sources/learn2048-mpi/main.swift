import Commands
import MPIRanks

Learn2048.main { MPICommunicator() }
