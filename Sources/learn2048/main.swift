import Commands

Learn2048.main(connect: nil)
